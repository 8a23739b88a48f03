import Foundation
import FuzzTargets

/// The target that the environment variable names.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    fatalError("Set FUZZ_TARGET to one of: \(names)")
  }
  return target
}()

#if FUZZING
  /// The entry point that libFuzzer, which has its own main function, calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }
#else
  /// Runs the inputs in the given files without libFuzzer, for example under a debugger.
  @main enum Fuzz {
    static func main() throws {
      for path in CommandLine.arguments.dropFirst() {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        bytes.withUnsafeBytes { target.run($0) }
      }
    }
  }
#endif
