/// A directory in which a store is being created; it cannot be opened until it is finished.
///
/// A marker file prevents opening. It is created first and removed last, so that a directory left
/// by a crash is rejected as unfinished.
struct StagingDirectory {
  let path: String
  let fileSystem: any FileSystem
  private var names: [String] = []
  private(set) var byteCount = 0
  private(set) var linkedCount = 0
  private var markers: [String] = []

  var fileCount: Int { names.count }

  private static let piece = 1 << 20

  /// Creates the marker file in a directory that does not exist, is empty or has only a lock file.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - fileSystem: The file system of the directory.
  ///   - record: The contents of the marker file, if the directory will be a backup.
  /// - Throws: ``StoreError/notEmpty(path:)``, or an error of the operating system.
  init(_ path: String, _ fileSystem: any FileSystem, record: BackupRecord? = nil) throws {
    self.path = path
    self.fileSystem = fileSystem
    guard try fileSystem.list(path)?.allSatisfy({ $0 == FileNames.lock }) ?? true else {
      throw StoreError.notEmpty(path: path)
    }
    try fileSystem.createDirectory(path)
    let mark = try fileSystem.open(path + "/" + FileNames.unfinished, .create)
    do {
      let note = record?.encoded ?? Array("This directory was not finished.\n".utf8)
      try note.withUnsafeBytes { try mark.write($0, at: 0) }
      try mark.sync()
      try fileSystem.syncDirectory(path)
    } catch {
      discard()
      throw error
    }
  }

  /// Hard-links an immutable file into the directory, or copies it if linking is not possible.
  mutating func add(_ segment: Segment, of directory: String, linking: Bool) throws {
    if linking {
      let target = path + "/" + segment.name
      let isLinked: ()? = try? fileSystem.link(directory + "/" + segment.name, to: target)
      if isLinked != nil {
        names.append(segment.name)
        byteCount += segment.fileSize
        linkedCount += 1
        return
      }
    }
    try add(segment.name, copying: segment.file, length: segment.fileSize)
  }

  /// Copies the first `length` bytes of a file and syncs the copy.
  mutating func add(_ name: String, copying source: any File, length: Int) throws {
    let target = try create(name)
    var done = 0
    while done < length {
      let count = min(Self.piece, length - done)
      guard let bytes = try source.bytes(count, at: done) else {
        throw StoreError.damaged(file: name, offset: done, reason: "the file is cut")
      }
      try bytes.withUnsafeBytes { try target.write($0, at: done) }
      done += count
    }
    try target.sync()
    byteCount += length
  }

  /// Creates a file, which the caller writes and syncs.
  mutating func create(_ name: String) throws -> any File {
    let file = try fileSystem.open(path + "/" + name, .create)
    names.append(name)
    return file
  }

  /// Marks the directory as published if another one is, so that writers keep the logs that
  /// replicas need.
  ///
  /// The confirmed position is not copied: a store created from the copy begins its own epoch, of
  /// which nothing is published.
  mutating func markPublished(as directory: String) throws {
    guard try PublicationMarker.hasReplicas(directory, fileSystem) else { return }
    markers = [FileNames.published, FileNames.published + FileNames.temporarySuffix]
    try PublicationMarker().write(to: path, fileSystem)
  }

  /// Syncs the directory and removes the marker file, or renames it to a backup's record.
  func finish(asBackup isBackup: Bool) throws {
    try fileSystem.syncDirectory(path)
    let mark = path + "/" + FileNames.unfinished
    if isBackup {
      try fileSystem.rename(mark, to: path + "/" + FileNames.backup)
    } else {
      try fileSystem.remove(mark)
    }
    try fileSystem.syncDirectory(path)
  }

  /// Removes the created files, the marker file last.
  func discard() {
    try? fileSystem.rename(path + "/" + FileNames.backup, to: path + "/" + FileNames.unfinished)
    for name in names + markers + [FileNames.unfinished] {
      try? fileSystem.remove(path + "/" + name)
    }
  }
}
