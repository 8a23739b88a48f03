import Foundation
import PackagePlugin

/// Compiles the files of another target once more, in the language mode of this one.
///
/// A package may not name a folder twice. This target has the other's name with a 6 in it.
@main
struct SecondBuild: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SourceModuleTarget else { return [] }
    let folder = target.directoryURL.deletingLastPathComponent()
      .appending(path: target.name.replacing("6", with: ""))
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return files.filter { $0.pathExtension == "swift" }.map { file in
      let copy = context.pluginWorkDirectoryURL.appending(path: file.lastPathComponent)
      return .buildCommand(
        displayName: "Copying \(file.lastPathComponent)", executable: URL(filePath: "/bin/cp"),
        arguments: [file.path(), copy.path()], inputFiles: [file], outputFiles: [copy])
    }
  }
}
