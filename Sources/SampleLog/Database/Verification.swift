/// What reading every byte of a store found.
public struct Verification: Hashable, Sendable {
  /// What is damaged, file by file.
  public internal(set) var damages: [Damage] = []
  /// Files read.
  public internal(set) var fileCount = 0
  /// Bytes read.
  public internal(set) var byteCount = 0

  /// Whether nothing is damaged.
  public var isGood: Bool { damages.isEmpty }

  /// Reads every file of a store and checks every checksum and what files say about each other.
  ///
  /// Nothing is written, and a store that is in use can be verified: what its writer appends
  /// meanwhile is not looked at.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - fileSystem: Where the directory is.
  /// - Throws: ``StoreError/notAStore(path:)``,
  ///   ``StoreError/unsupportedVersion(file:version:)``, or an error of the operating system.
  public init(path: String, fileSystem: any FileSystem = PosixFileSystem()) throws {
    var options = Database.Options()
    options.toleratesDamage = true
    let all = try (fileSystem.list(path) ?? []).sorted()
    let names = all.filter(FileNames.isData)
    if names.isEmpty { throw StoreError.notAStore(path: path) }
    do {
      let database = try Database(
        path: path, mode: .readOnly, options: options, fileSystem: fileSystem)
      damages = database.damages
    } catch StoreError.damaged(let file, let offset, let reason) {
      damages.append(Damage(file: file, offset: offset, reason: reason))
    }
    for name in names {
      let file: any File
      do {
        file = try fileSystem.open(path + "/" + name, .read)
      } catch {
        // A compaction may have removed it since.
        if try fileSystem.list(path)?.contains(name) == true { throw error }
        continue
      }
      fileCount += 1
      byteCount += try file.size()
      guard FileNames.segmentRange(name) != nil else { continue }
      do {
        let segment = try Segment(file: file, name: name, symbols: SymbolTable())
        segment.verify { offset, reason in
          damages.append(Damage(file: name, offset: offset, reason: reason))
        }
      } catch StoreError.damaged(let file, let offset, let reason) {
        damages.append(Damage(file: file, offset: offset, reason: reason))
      }
    }
    try checkKeptLogs(all, in: path, fileSystem)
    if try PublicationMark.isDamaged(path, fileSystem) {
      damages.append(
        Damage(file: FileNames.published, offset: 0, reason: "the record makes no sense"))
    }
    var seen: Set<Damage> = []
    damages = damages.filter { seen.insert($0).inserted }
  }
}
