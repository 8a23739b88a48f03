package import Foundation

/// Programs of this package that tests start.
package enum BuiltProgram {
  /// A program, which stands next to the test bundle or in a folder above it.
  ///
  /// - Parameter name: The name of its product.
  /// - Returns: Where it is.
  /// - Throws: `CocoaError.fileNoSuchFile` when it was not built.
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
