import CDuckDB
import Foundation

/// DuckDB's library, which is looked for when the program runs.
///
/// `DUCKDB_SO` names it, or else the system's `libduckdb` is taken. The extension module of the
/// Python wheel will do if `PYTHON_SO` names the library of the Python that it was built for.
package enum DuckDBLibrary {
  // Written once, before the first read, and only read after that: sharing it is safe.
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

  /// The functions, if the library is here.
  static func functions() throws -> UnsafePointer<DuckDBFunctions> { try loaded.get() }

  /// Why the library cannot be used; nil if it can.
  package static var problem: String? {
    guard case .failure(let error) = loaded else { return nil }
    return error.message
  }

  /// What to do about that.
  package static let advice = """
    pip download duckdb, unzip the wheel, and set DUCKDB_SO to its _duckdb*.so and PYTHON_SO to \
    libpython of the same version of Python
    """
}
