/// A violation of a rule and its position.
struct Finding: Equatable, CustomStringConvertible {
  let path: String
  /// The line number, starting at 1, or nil for the file as a whole.
  let line: Int?
  let problem: String

  init(_ file: SourceFile, line: Int? = nil, _ problem: String) {
    path = file.path
    self.line = line
    self.problem = problem
  }

  var description: String {
    line.map { "\(path):\($0): \(problem)" } ?? "\(path): \(problem)"
  }
}
