import Glibc

/// The system packages that provide programs or data, and the commands that install them. The only
/// such table; nothing is installed here.
package enum PackageManager: Sendable, CaseIterable {
    case apt, dnf, pacman

    /// This machine's package manager; apt if none is found, since its names are the best
    /// known.
    package static var here: PackageManager {
        if access("/usr/bin/apt-get", X_OK) == 0 { return .apt }
        if access("/usr/bin/dnf", X_OK) == 0 { return .dnf }
        if access("/usr/bin/pacman", X_OK) == 0 { return .pacman }
        return .apt
    }

    /// The command that installs one of these programs: the most widely usable one, or else the
    /// first that has a package. Nil if no package is known.
    package func line(forOneOf programs: [String]) -> String? {
        let known = Self.commonest.filter(programs.contains) + programs
        guard let package = known.lazy.compactMap(package).first else { return nil }
        return "sudo \(verb) \(package)"
    }

    private var verb: String {
        switch self {
        case .apt: "apt install"
        case .dnf: "dnf install"
        case .pacman: "pacman -S"
        }
    }

    /// ALSA's programs work with and without a sound server; ffmpeg reads recordings of
    /// phones, sox does not.
    private static let commonest = [
        "espeak-ng", "arecord", "aplay", "magick", "ffmpeg", "weasyprint",
    ]

    private func package(of program: String) -> String? {
        guard let names = Self.packages[program] else { return nil }
        switch self {
        case .apt: return names.apt
        case .dnf: return names.dnf
        case .pacman: return names.pacman
        }
    }

    private typealias Names = (apt: String, dnf: String, pacman: String)

    private static let packages: [String: Names] = [
        "ffmpeg": ("ffmpeg", "ffmpeg-free", "ffmpeg"),
        "ffplay": ("ffmpeg", "ffmpeg-free", "ffmpeg"),
        "sox": ("sox", "sox", "sox"),
        "rec": ("sox", "sox", "sox"),
        "play": ("sox", "sox", "sox"),
        "espeak-ng": ("espeak-ng", "espeak-ng", "espeak-ng"),
        "ebook-convert": ("calibre", "calibre", "calibre"),
        "wl-paste": ("wl-clipboard", "wl-clipboard", "wl-clipboard"),
        "weasyprint": ("weasyprint", "weasyprint", "python-weasyprint"),
        "wkhtmltopdf": ("wkhtmltopdf", "wkhtmltopdf", "wkhtmltopdf"),
        "chromium": ("chromium", "chromium", "chromium"),
        "pw-record": ("pipewire-bin", "pipewire-utils", "pipewire-audio"),
        "pw-play": ("pipewire-bin", "pipewire-utils", "pipewire-audio"),
        "parecord": ("pulseaudio-utils", "pulseaudio-utils", "libpulse"),
        "paplay": ("pulseaudio-utils", "pulseaudio-utils", "libpulse"),
        "arecord": ("alsa-utils", "alsa-utils", "alsa-utils"),
        "aplay": ("alsa-utils", "alsa-utils", "alsa-utils"),
        "mpv": ("mpv", "mpv", "mpv"),
        "notify-send": ("libnotify-bin", "libnotify", "libnotify"),
        "secret-tool": ("libsecret-tools", "libsecret", "libsecret"),
        "magick": ("imagemagick", "ImageMagick", "imagemagick"),
        "pdftotext": ("poppler-utils", "poppler-utils", "poppler"),
        "vdirsyncer": ("vdirsyncer", "vdirsyncer", "vdirsyncer"),
        "hunspell": (
            "hunspell hunspell-en-us", "hunspell hunspell-en-US", "hunspell hunspell-en_us"
        ),
        "wl-copy": ("wl-clipboard", "wl-clipboard", "wl-clipboard"),
        "xclip": ("xclip", "xclip", "xclip"),
        "ca-certificates": ("ca-certificates", "ca-certificates", "ca-certificates"),
        "tzdata": ("tzdata", "tzdata", "tzdata"),
    ]
}

extension Diagnostic {
    /// A copy that advises the command that installs the missing program.
    package func installing(_ packages: PackageManager) -> Diagnostic {
        var installing = self
        installing.programs = []
        guard let line = packages.line(forOneOf: programs) else { return installing }
        installing.todo = todo.map { "\($0). Without one: \(line)" } ?? line
        return installing
    }
}
