import Foundation
import SampleLog

/// The text form of anchors: the encoded bytes in base64url without padding.
enum AnchorText {
  static func text(of anchor: Anchor) -> String {
    Data(anchor.encoded).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// Returns the anchor, or nil if the text does not encode an anchor that identifies its store.
  static func anchor(_ text: String) -> Anchor? {
    var base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    guard let data = Data(base64Encoded: base64), let anchor = Anchor(encoded: [UInt8](data)),
      anchor.origin != nil, self.text(of: anchor) == text
    else { return nil }
    return anchor
  }
}
