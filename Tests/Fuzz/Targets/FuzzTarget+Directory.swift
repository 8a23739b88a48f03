import SampleLog

extension FuzzTarget {
  /// Whole directories: the input is a list of named files, opened as a store in every mode.
  ///
  /// A file is a byte of choices, the length of its name, the length of its content, and both. If
  /// the lowest bit of the choices is set, checksums are repaired.
  static let directory = FuzzTarget(name: "Directory", maximumLength: 16_384) { bytes in
    var input = FuzzInput(bytes)
    let fileSystem = MemoryFileSystem()
    fileSystem.createDirectory(Store.path)
    for _ in 0..<8 where !input.rest.isEmpty {
      let isRepaired = input.byte() & 1 == 1
      let (nameLength, length) = (Int(input.byte()), input.half())
      let name = String(decoding: input.slice(nameLength), as: UTF8.self)
      var content = [UInt8](input.slice(length))
      if isRepaired { name.hasSuffix(".log") ? Repair.log(&content) : Repair.segment(&content) }
      Store.write(name, content, to: fileSystem)
    }
    Store.exercise(fileSystem, bytes)
  } seeds: {
    try DirectorySeeds.make()
  }
}

/// Directories of valid stores.
private enum DirectorySeeds {
  static func make() throws -> [FuzzTarget.Seed] {
    var seeds: [FuzzTarget.Seed] = []
    let fileSystem = MemoryFileSystem()
    let database = try Database(
      path: Store.path, options: Store.options(toleratesDamage: false), fileSystem: fileSystem)
    try save(12, database)
    seeds.append(try seed("log", fileSystem.copy()))
    try database.seal()
    seeds.append(try seed("sealed", fileSystem.copy()))
    try save(5, database)
    try delete(3, database)
    try database.acknowledge("reader", through: 9)
    seeds.append(try seed("segment-and-log", fileSystem.copy()))
    try database.seal()
    seeds.append(try seed("two-segments", fileSystem.copy()))
    try database.compact()
    try save(2, database)
    seeds.append(try seed("compacted", fileSystem.copy()))
    try database.close()
    return seeds
  }

  private static func save(_ count: UInt64, _ database: Database) throws {
    var batch = Batch()
    for row in 0..<count {
      let number = database.end + row + 1
      let blob = row % 4 == 1 ? batch.intern(extras: Samples.extras(Int(row)).encoded) : 0
      batch.add(
        subject: database.symbols.intern("ada"),
        type: database.symbols.intern(row % 3 == 0 ? "steps" : "heartRate"),
        id: Samples.identifier(number), start: 700_000_000 + Double(number) * 60,
        end: 700_000_000 + Double(number) * 60, value: Double(number % 7),
        unit: database.symbols.intern("count/min"), extras: blob)
    }
    try database.commit(batch)
  }

  private static func delete(_ count: UInt64, _ database: Database) throws {
    var batch = Batch()
    for number in 1...count { batch.delete(Samples.identifier(number)) }
    try database.commit(batch)
  }

  private static func seed(_ name: String, _ fileSystem: MemoryFileSystem) throws -> FuzzTarget.Seed
  {
    var input = FuzzInputWriter()
    for file in (fileSystem.list(Store.path) ?? []).sorted() {
      // Zeros after the end of a log add no information and would be most of the seed.
      let opened = try fileSystem.open(Store.path + "/" + file, .read)
      var content = try opened.bytes(opened.size(), at: 0) ?? []
      if file.hasSuffix(".log") { while content.last == 0 { content.removeLast() } }
      while content.count % 8 != 0, file.hasSuffix(".log") { content.append(0) }
      guard !content.isEmpty else { continue }
      input.append([1, UInt8(file.utf8.count)])
      input.half(content.count)
      input.append(Array(file.utf8))
      input.append(content)
    }
    return FuzzTarget.Seed(name, input.bytes)
  }
}
