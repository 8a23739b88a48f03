import SampleLog

extension ParsedArguments {
  /// Returns the anchor given for an option, or nil if the option is absent.
  func anchor(_ name: String) throws(UsageError) -> Anchor? {
    guard let text = self[name] else { return nil }
    guard let anchor = AnchorText.anchor(text) else {
      throw error("The text after \(name) is no anchor that `changes` or `export` printed")
    }
    return anchor
  }
}
