/// A rule of style, and the check that finds its violations in one file.
struct TidyRule: Sendable {
  let name: String
  let check: @Sendable (SourceFile) -> [Finding]

  /// Every rule that checks one file at a time.
  static let all: [TidyRule] = [
    lineLength, fileLength, spaces, finalNewline, forbiddenWords, sleeping, platformImports,
    foundationImports, importDirection, swallowedErrors, handlers, publicSafety,
    upperLayers, subjects, namedActors, beginnings,
  ]
}
