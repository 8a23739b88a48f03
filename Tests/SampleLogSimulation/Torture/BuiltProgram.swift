package import Foundation

/// Programs of this package that tests run.
package enum BuiltProgram {
  /// Returns the URL of a program, which is in the folder of the test bundle or in a parent folder.
  ///
  /// - Parameter name: The name of its product.
  /// - Returns: The URL of the executable.
  /// - Throws: `CocoaError.fileNoSuchFile` if it was not built.
  package static func url(_ name: String) throws -> URL {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
