/// The result of verifying a store.
public struct Verification: Hashable, Sendable {
  /// The damage, in order of files.
  public internal(set) var damages: [Damage] = []
  /// The number of files read.
  public internal(set) var fileCount = 0
  /// The number of bytes read.
  public internal(set) var byteCount = 0

  /// Whether the store is intact.
  public var isGood: Bool { damages.isEmpty }

  /// Reads every file of a store, and verifies all checksums and the consistency of the files.
  ///
  /// Writes nothing. A store in use can be verified; data that its writer appends concurrently is
  /// ignored.
  ///
  /// - Parameters:
  ///   - path: The store's directory.
  ///   - fileSystem: The file system of the directory.
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
        // A compaction may have removed the file.
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
    if try PublicationMarker.isDamaged(path, fileSystem) {
      damages.append(
        Damage(file: FileNames.published, offset: 0, reason: "the record makes no sense"))
    }
    var seen: Set<Damage> = []
    damages = damages.filter { seen.insert($0).inserted }
  }
}
