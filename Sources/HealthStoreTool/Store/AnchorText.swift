import Foundation
import SampleLog

/// An anchor as text that can be kept anywhere and given back later: its bytes in base64url.
enum AnchorText {
  static func text(of anchor: Anchor) -> String {
    Data(anchor.encoded).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// Reads a text; nil when it is no anchor with a store.
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

extension ParsedArguments {
  /// An anchor that a command printed.
  func anchor(_ name: String) throws(UsageError) -> Anchor? {
    guard let text = self[name] else { return nil }
    guard let anchor = AnchorText.anchor(text) else {
      throw error("The text after \(name) is no anchor that `changes` or `export` printed")
    }
    return anchor
  }
}
