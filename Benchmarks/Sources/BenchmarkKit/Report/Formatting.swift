import Foundation

extension Double {
  func rounded(toPlaces places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return (self * scale).rounded() / scale
  }

  /// A rounded number with a prefix for thousands, millions and billions.
  var short: String {
    switch abs(self) {
    case 1e9...: "\((self / 1e9).rounded(toPlaces: 2)) G"
    case 1e6...: "\((self / 1e6).rounded(toPlaces: 2)) M"
    case 1e4...: "\((self / 1e3).rounded(toPlaces: 1)) k"
    case 100...: "\(Int(rounded()))"
    default: "\(rounded(toPlaces: 2))"
    }
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}

/// Prints a line to standard error, separate from the results.
func printError(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
