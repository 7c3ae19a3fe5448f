import AgentCore
import Base

/// Prepares files for the model that will read them: images within its limits, a PDF as it
/// is or as its text. Unsupported files are refused before anything is saved or sent.
package struct AttachmentLoader: Sendable {
    var converter: FileConverter

    /// One file as it will be sent, and the line that describes it.
    package struct Prepared: Sendable, Equatable {
        package var attachment: Attachment
        package var line: String
    }

    /// - Throws: `AttachmentFailure`, `CancellationError`.
    package func prepare(
        _ files: [InputFiles.Loaded], for target: ModelOrigin
    ) async throws -> [Prepared] {
        let limits = AttachmentLimits(for: target)
        var prepared: [Prepared] = []
        var (images, total) = (0, 0)
        let count = files.count { if case .image = $0.kind { true } else { false } }
        for file in files {
            try Task.checkCancellation()
            let one: Prepared
            switch file.kind {
            case .text(let text):
                one = Self.text(
                    file.mayBeCut ? StoryBeginning.bytes(text, for: target.model) : text, file)
            case .image(let header):
                images += 1
                if images > limits.imageCount {
                    throw file.failure(.tooManyImages(limit: limits.imageCount))
                }
                let edge =
                    count > AttachmentLimits.crowd
                    ? min(limits.imageEdge, AttachmentLimits.crowdEdge) : limits.imageEdge
                one = try await image(file, header, limits, edge: edge, model: target.model)
            case .pdf: one = try await pdf(file, limits)
            case .unsupported(let kind): throw file.failure(.unsupported(kind))
            case .unknown: throw file.failure(.unknownType)
            }
            total += AttachmentLimits.base64Count(one.attachment.bytes.count)
            if total > limits.requestBytes {
                throw file.failure(.requestTooLarge(limit: limits.requestBytes / 4 * 3))
            }
            prepared.append(one)
        }
        return prepared
    }

    private static func text(_ text: [UInt8], _ file: InputFiles.Loaded) -> Prepared {
        let isMarkdown = file.name.lowercased().hasSuffix(".md")
        return Prepared(
            Attachment(
                name: file.name, mediaType: isMarkdown ? "text/markdown" : "text/plain",
                bytes: text))
    }

    private func image(
        _ file: InputFiles.Loaded, _ header: ImageHeader, _ limits: AttachmentLimits, edge: Int,
        model: String
    ) async throws -> Prepared {
        if limits.images == .refused { throw file.failure(.noImages(model: model)) }
        guard let size = header.size else { throw file.failure(.brokenImage) }
        let sent = AttachmentLimits.base64Count(file.bytes.count)
        if size.longEdge <= edge, sent <= limits.imageBytes {
            return Prepared(
                Attachment(
                    name: file.name, mediaType: header.format.mediaType, bytes: file.bytes))
        }
        do {
            let smaller = try await converter.sizedDown(
                file.bytes, header, edge: min(edge, AttachmentLimits.usefulEdge),
                limit: limits.imageBytes)
            return Prepared(
                Attachment(
                    name: file.name, mediaType: smaller.header.format.mediaType,
                    bytes: smaller.bytes),
                more: "scaled down from \(AttachmentLine.pixels(size))")
        } catch FileConverter.Failure.missing {
            let isLong = size.longEdge > edge
            throw file.failure(
                .imageTooLarge(
                    size: isLong
                        ? AttachmentLine.pixels(size) : Quantities.bytes(file.bytes.count),
                    limit: isLong
                        ? "\(Quantities.grouped(edge)) pixels per side"
                        : Quantities.bytes(limits.imageBytes / 4 * 3)))
        } catch FileConverter.Failure.failed {
            throw file.failure(.notSizedDown)
        }
    }

    private func pdf(_ file: InputFiles.Loaded, _ limits: AttachmentLimits) async throws -> Prepared
    {
        let facts = PDFFacts(file.bytes)
        if facts.isEncrypted { throw file.failure(.encryptedPDF) }
        if limits.takesPDF {
            if let pages = facts.pages, pages > limits.pdfPages {
                throw file.failure(.tooManyPages(count: pages, limit: limits.pdfPages))
            }
            return Prepared(
                Attachment(name: file.name, mediaType: "application/pdf", bytes: file.bytes))
        }
        do {
            let text = try await converter.text(ofPDF: file.bytes)
            let isBlank = text.allSatisfy { $0 <= 0x20 }
            guard !isBlank, String(validating: text, as: UTF8.self) != nil else {
                throw file.failure(.noTextInPDF)
            }
            if text.count > InputFiles.textLimitInBytes {
                throw file.failure(.textTooLarge(limit: InputFiles.textLimitInBytes))
            }
            return Prepared(
                Attachment(name: file.name, mediaType: "text/plain", bytes: text),
                more: "only its text: this server accepts no PDF")
        } catch FileConverter.Failure.missing {
            throw file.failure(.noPDF)
        } catch FileConverter.Failure.failed {
            throw file.failure(.noTextInPDF)
        }
    }
}

extension AttachmentLoader.Prepared {
    init(_ attachment: Attachment, more: String? = nil) {
        self.attachment = attachment
        line = AttachmentLine.text(attachment) + (more.map { ", \($0)" } ?? "")
    }
}

extension InputFiles.Loaded {
    func failure(_ reason: AttachmentFailure.Reason) -> AttachmentFailure {
        AttachmentFailure(path: path, reason: reason)
    }
}

extension AttachmentLoader {
    package init(_ services: Services) { converter = FileConverter(variables: services.variables) }

    /// The model that would answer now. Without a model, any file may be attached.
    package static func target(
        of choice: ProviderChoice?, _ services: Services
    ) async throws -> ModelOrigin {
        guard let choice, choice.provider != .offline else {
            return ModelOrigin(provider: .offline, format: .none, model: "")
        }
        let endpoint = try await services.connector.endpoint(choice.provider)
        return ModelOrigin(
            provider: choice.provider, format: endpoint.format, model: choice.model ?? "")
    }
}
