import AgentCore
import Base
import Documents

/// Runs another program to scale an image down or to extract the text of a PDF. The file
/// goes through stdin and stdout, so that a file name is never read as an option or a
/// format.
package struct FileConverter: Sendable {
    package var variables: [String: String]

    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// Maximum number of pixels, more than cameras take: a converter needs up to 8 bytes for each (1 GB).
    static let pixelLimit = 120_000_000

    package struct Image: Sendable, Equatable {
        package var bytes: [UInt8]
        var header: ImageHeader
    }

    enum Failure: Error { case missing, failed }

    /// The image with no edge above `edge`, as PNG or, if that is still too large, as JPEG.
    package func sizedDown(
        _ bytes: [UInt8], _ header: ImageHeader, edge: Int, limit: Int
    ) async throws -> Image {
        if let size = header.size, size.width * size.height > Self.pixelLimit {
            throw Failure.failed
        }
        let isPhoto = header.format == .jpeg
        var wasThere = false
        for format in (isPhoto ? [.jpeg] : [.png, .jpeg]) as [ImageHeader.Format] {
            for tool in Self.tools {
                // Missing or not executable: try the next.
                guard let program = try? Subprocess.find(tool.name, in: variables) else {
                    continue
                }
                wasThere = true
                let arguments = tool.arguments(header.format, format, edge)
                guard let output = try await run(program, arguments, bytes),
                    let made = ImageHeader(output), let size = made.size, size.longEdge <= edge,
                    AttachmentLimits.base64Count(output.count) <= limit
                else { continue }
                return Image(bytes: output, header: made)
            }
        }
        throw wasThere ? Failure.failed : Failure.missing
    }

    /// The text of a PDF; empty if its pages are only images.
    func text(ofPDF bytes: [UInt8]) async throws -> [UInt8] {
        do {
            let text = try await PDFText(variables: variables).read(bytes, name: "")
            return Array(text.utf8) + [0x0A]
        } catch let error as PDFTextError {
            switch error.reason {
            case .missing: throw Failure.missing
            case .scanned: return []
            case .encrypted, .damaged, .tooLong, .tookTooLong: throw Failure.failed
            }
        }
    }

    /// Nil if it failed or took too long; cancellation is thrown.
    private func run(
        _ program: String, _ arguments: [String], _ bytes: [UInt8]
    ) async throws -> [UInt8]? {
        let process = Subprocess(
            program: program, arguments: arguments,
            environment: Subprocess.baseEnvironment(from: variables), input: .bytes(bytes),
            limits: Subprocess.Limits(
                time: .seconds(30), outputBytes: InputFiles.limitInBytes, errorBytes: 4 << 10))
        do {
            let result = try await process.run()
            return result.isSuccess && !result.outputWasCut ? result.output : nil
        } catch is SubprocessError {
            return nil
        }
    }

    private struct Tool: Sendable {
        var name: String
        var arguments: @Sendable (ImageHeader.Format, ImageHeader.Format, Int) -> [String]
    }

    /// The tools in order of preference. The input format is given explicitly: otherwise
    /// ImageMagick guesses it, and runs whatever program the guess leads to.
    private static let tools: [Tool] = [
        Tool(name: "magick", arguments: magick), Tool(name: "convert", arguments: magick),
        Tool(
            name: "vipsthumbnail",
            arguments: { _, output, edge in
                [
                    "stdin", "--size", "\(edge)x\(edge)>", "-o",
                    output == .jpeg ? ".jpg[Q=85]" : ".png",
                ]
            }),
        Tool(
            name: "ffmpeg",
            arguments: { input, output, edge in
                [
                    "-nostdin", "-v", "error", "-protocol_whitelist", "pipe", "-f",
                    "\(input == .jpeg ? "jpeg" : input.rawValue)_pipe", "-i", "pipe:0",
                    "-frames:v", "1", "-vf",
                    "scale='min(\(edge),iw)':'min(\(edge),ih)':force_original_aspect_ratio=decrease",
                    "-f", "image2pipe", "-c:v", output == .jpeg ? "mjpeg" : "png", "pipe:1",
                ]
            }),
    ]

    private static let magick: @Sendable (ImageHeader.Format, ImageHeader.Format, Int) -> [String] =
        {
            input, output, edge in
            [
                // The first picture of an animation.
                "\(input.rawValue):-[0]", "-limit", "memory", "1GiB", "-auto-orient", "-resize",
                "\(edge)x\(edge)>", "-strip", "-quality", output == .jpeg ? "85" : "95",
                "\(output.rawValue):-",
            ]
        }
}
