/// Something untidy, and where it is.
struct Finding: Equatable, CustomStringConvertible {
  let path: String
  /// The line, from 1; nil when the file as a whole is meant.
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
