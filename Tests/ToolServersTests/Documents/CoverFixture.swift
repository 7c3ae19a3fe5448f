import Foundation

/// Pictures of 8 by 12 points that other programs have made.
enum CoverFixture {
    static let jpeg = bytes(
        "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYG"
            + "BgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABMAAEBAAAAAAAA"
            + "AAAAAAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAA"
            + "AAAAAAD/wAARCAAMAAgDASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z")
    static let png = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAMCAIAAADQ/GvKAAAACXBIWXMAAAABAAAAAQBPJcTWAAAAEUlE"
            + "QVR4nGNgYPiHA41KoCEAdKVfQWvjgpkAAAAASUVORK5CYII=")

    private static func bytes(_ base64: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: base64) ?? Data())
    }
}
