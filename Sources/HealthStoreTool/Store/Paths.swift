import Foundation

/// Questions about paths, answered without changing anything.
enum Paths {
  /// The directories on the way to a path that do not exist, the path itself first.
  static func missing(_ path: String) -> [String] {
    var missing: [String] = []
    var path = path
    var status = stat()
    while !path.isEmpty, path != "/", lstat(path, &status) != 0, errno == ENOENT {
      missing.append(path)
      path = parent(path)
    }
    return missing
  }

  /// The directory that a path is in; empty for a name alone.
  private static func parent(_ path: String) -> String {
    let name = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let rest = name.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
    if rest.isEmpty, path.hasPrefix("/") { return "/" }
    return String(decoding: rest.reversed(), as: UTF8.self)
  }

  /// Throws when something is to be made inside the store that it is made of.
  static func requireOutside(_ destination: String, of store: String) throws {
    guard let store = resolved(store) else { return }
    // What does not exist yet is where the last directory that does is.
    guard let start = resolved(parent(missing(destination).last ?? destination + "/x")) else {
      return
    }
    guard start == store || start.hasPrefix(store + "/") else { return }
    throw Failure(
      "\(destination) is in the store itself; name a directory elsewhere.", status: .unusable)
  }

  /// The one path of what exists; nil for what does not.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path.isEmpty ? "." : path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
