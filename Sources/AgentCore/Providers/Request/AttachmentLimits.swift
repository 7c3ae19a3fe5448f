import Base

/// The files a model accepts: which kinds, how large, how many. One table, by wire format
/// and the name of the model. Pure.
///
/// Claude: docs.claude.com, "Vision" (5 MB an image, 8,000 pixels an edge,
/// 2,000 from the 21st image on, 600 images, 100 with a window of 200,000
/// tokens) and "PDF support" (32 MB a request; 600 pages, 100 below a window
/// of a million tokens; no encryption). OpenAI: developers.openai.com, "Images
/// and vision" and "File inputs" (50 MB of files a request, 500 images). For
/// compatible servers only the format is known; the limit is our own.
package struct AttachmentLimits: Sendable, Equatable {
    package enum Images: Sendable {
        case taken, refused
        /// Sent if the user asks for it; the conversation then shows the outcome.
        case unknown
    }

    package var images: Images
    package var takesPDF: Bool
    /// Limit for one image, in the base64 it is sent as.
    package var imageBytes: Int
    package var imageEdge: Int
    package var imageCount: Int
    package var pdfPages: Int
    /// Limit for all files of a request, in base64; leaves some room for the text.
    package var requestBytes: Int

    /// Edge to which images are scaled down, beyond which the models see no more.
    package static let usefulEdge = 1_568
    /// Number of images in a request above which edges may be at most `crowdEdge`.
    package static let crowd = 20
    package static let crowdEdge = 2_000
}

extension AttachmentLimits {
    package init(for target: ModelOrigin) {
        switch target.format {
        case .messages:
            let isSmall = ModelCatalog.info(target.model).map { ($0.maxInput ?? 0) < 1_000_000 }
            self.init(
                images: .taken, takesPDF: true, imageBytes: 5 << 20, imageEdge: 8_000,
                imageCount: isSmall ?? false ? 100 : 600, pdfPages: isSmall ?? false ? 100 : 600,
                requestBytes: 28 << 20)
        case .responses:
            self.init(
                images: Self.images(of: target), takesPDF: true, imageBytes: 20 << 20,
                imageEdge: 16_000, imageCount: 500, pdfPages: .max, requestBytes: 45 << 20)
        default:
            self.init(
                images: Self.images(of: target), takesPDF: target.format == .none,
                imageBytes: 20 << 20, imageEdge: 8_000, imageCount: 100, pdfPages: 600,
                requestBytes: 45 << 20)
        }
    }

    /// Decided by the name, because such servers do not list it.
    private static func images(of target: ModelOrigin) -> Images {
        if target.format == .none { return .taken }
        let name = target.model.lowercased()
        if target.provider == .openai, ModelCatalog.provider(ofModel: name) == .openai {
            let blind = ["gpt-3.5", "gpt-4-0", "o1-mini", "o1-preview", "o3-mini"]
            return blind.contains(where: name.hasPrefix) || name == "gpt-4" ? .refused : .taken
        }
        if seeing.contains(where: name.contains) { return .taken }
        return blind.contains(where: name.contains) ? .refused : .unknown
    }

    private static let seeing = [
        "vision", "-vl", "vl:", "llava", "gemma3", "gemma-3", "pixtral", "moondream", "minicpm-v",
        "llama4", "llama-4", "gpt-4o", "internvl", "qwen2.5vl", "qwen3vl", "multimodal",
    ]

    private static let blind = [
        "gpt-oss", "deepseek", "codellama", "llama2", "llama3", "llama-3", "phi3", "phi4:",
        "qwen2.5", "qwen3", "qwq", "mixtral", "mistral:", "mistral-7b", "gemma2", "gemma:",
        "tinyllama", "smollm", "starcoder", "granite3", "command-r", "olmo", "yi:", "falcon",
    ]

    package static func base64Count(_ bytes: Int) -> Int { (bytes + 2) / 3 * 4 }
}
