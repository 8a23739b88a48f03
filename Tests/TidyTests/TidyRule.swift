/// A rule of style: what one file does against it.
struct TidyRule: Sendable {
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  /// Every rule that looks at one file at a time.
  static let all: [TidyRule] = [
    lineLength, fileLength, spaces, finalNewline, forbiddenWords, sleeping, platformImports,
    foundationImports, importDirection, swallowedErrors, handlers, publicSafety,
    upperLayers,
  ]
}
