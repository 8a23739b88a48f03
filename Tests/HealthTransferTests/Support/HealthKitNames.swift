import Foundation

/// The names of HealthKit's declarations, from the repository's list.
enum HealthKitNames {
  static func all() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let table = try String(
      contentsOf: root.appending(path: ".ci/healthkit-names.tsv"), encoding: .utf8)
    return table.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: "\t").last.map(String.init)
    }
  }
}
