import CDuckDB
import Foundation

/// DuckDB's library, which is loaded at run time.
///
/// `DUCKDB_SO` names the library; the default is the system's `libduckdb`. The extension module of
/// the Python wheel can be used if `PYTHON_SO` names the library of the Python for which it was
/// built.
package enum DuckDBLibrary {
  // Written once, before the first read, and only read afterwards: sharing it is safe.
  private nonisolated(unsafe) static let loaded:
    Result<UnsafePointer<DuckDBFunctions>, DuckDBError> =
      {
        #if canImport(Darwin)
          let usual = "libduckdb.dylib"
        #else
          let usual = "libduckdb.so"
        #endif
        let environment = ProcessInfo.processInfo.environment
        var reason: UnsafePointer<CChar>?
        if let functions = duckdb_functions_load(
          environment["DUCKDB_SO"] ?? usual, environment["PYTHON_SO"], &reason)
        {
          return .success(functions)
        }
        return .failure(DuckDBError(message: reason.map { String(cString: $0) } ?? "no library"))
      }()

  /// The functions, or nil if the library cannot be used.
  static func functions() throws -> UnsafePointer<DuckDBFunctions> { try loaded.get() }

  /// The reason why the library cannot be used, or nil if it can.
  package static var problem: String? {
    guard case .failure(let error) = loaded else { return nil }
    return error.message
  }

  /// The user's remedy for that.
  package static let advice = """
    pip download duckdb, unzip the wheel, and set DUCKDB_SO to its _duckdb*.so and PYTHON_SO to \
    libpython of the same version of Python
    """
}
