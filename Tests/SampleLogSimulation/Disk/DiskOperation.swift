/// An operation on a simulated disk, in the order seen by programs.
package enum DiskOperation: Sendable {
  case create(name: String, file: Int)
  /// A hard link to a file.
  case link(name: String, file: Int)
  case rename(from: String, to: String, file: Int)
  case remove(name: String)
  case syncDirectory
  case write(file: Int, offset: Int, bytes: [UInt8])
  case truncate(file: Int, length: Int)
  case preallocate(file: Int, length: Int)
  case sync(file: Int)
  /// A sync failed, and the page cache considers the written data clean. Any part may be on the
  /// disk, and no later sync writes it.
  case loseTrack(file: Int)
  /// A sync failed, and the page cache reverted to these bytes of the disk.
  case fallBack(file: Int, bytes: [UInt8])
  case lock

  /// A hash of the operation, for event logs.
  package var digest: UInt64 {
    func name(_ text: String) -> UInt64 { stableHash(Array(text.utf8)) }
    func number(_ kind: UInt64, _ first: Int, _ second: Int = 0) -> UInt64 {
      mixed(kind << 56 ^ UInt64(first) << 32 ^ UInt64(second))
    }
    return switch self {
    case .create(let file, let number): name(file) &+ UInt64(number) &+ 1
    case .link(let file, let number): name(file) &* 11 &+ UInt64(number)
    case .rename(let from, let to, _): name(from) &* 3 &+ name(to)
    case .remove(let file): name(file) &* 5
    case .syncDirectory: 7
    case .write(let file, let offset, let bytes): stableHash(bytes, number(8, file, offset))
    case .truncate(let file, let length): number(9, file, length)
    case .preallocate(let file, let length): number(10, file, length)
    case .sync(let file): number(11, file)
    case .loseTrack(let file): number(12, file)
    case .fallBack(let file, let bytes): stableHash(bytes, number(13, file))
    case .lock: 14
    }
  }
}
