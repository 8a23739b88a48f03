@testable import SampleLog
import SampleLogSimulation
import Foundation
import Testing

/// Random stores and copies of them, with each file placed in the directories of the others.
@Suite struct ForeignFileModelTests {
  private static let seeds = 8

  /// Describes the contents of a store.
  private func answers(_ database: Database) throws -> [String] {
    let snapshot = database.snapshot()
    return try snapshot.changes(after: .beginning).changes.map {
      "\($0.sequence) \($0.kind) \($0.row.id) \($0.row.value)"
    } + ["\(snapshot.end) \(database.epoch)"]
  }

  private func open(_ path: String, _ files: MemoryFileSystem) throws -> Database {
    let options = testOptions { $0.deletionRetention = .seconds(1e12) }
    return try Database(path: path, options: options, fileSystem: files)
  }

  /// Saves, deletes, seals and compacts.
  private func work(_ database: Database, _ random: inout Seeded, steps: Int) throws {
    for _ in 0..<steps {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try database.seal()
      case 1: try database.compact()
      case 2, 3:
        let key = database.key("heartRate")
        let rows = try database.snapshot().select([key], order: .start(ascending: true))
        if let row = rows.randomElement(using: &random) { try database.delete(row.id) }
      default:
        let value = Double.random(in: 0..<1000, using: &random)
        let id = Identifier(high: random.next(), low: random.next())
        try database.save(start: value, value: value, id: id)
      }
    }
  }

  /// Two stores, and a chain of copies of the first that were restored and continued.
  private func stores(_ files: MemoryFileSystem, _ random: inout Seeded) throws -> [String] {
    var paths = ["one", "two"]
    for path in paths {
      let database = try open(path, files)
      try work(database, &random, steps: Int.random(in: 5..<40, using: &random))
      try database.close()
    }
    for number in 0..<2 {
      let source = number == 0 ? "one" : paths[paths.count - 1]
      let original = try open(source, files)
      try original.backup(to: "backup\(number)")
      try Database.restore(
        from: "backup\(number)", to: "copy\(number)", options: testOptions(), fileSystem: files)
      try work(original, &random, steps: Int.random(in: 0..<30, using: &random))
      try original.close()
      let copy = try open("copy\(number)", files)
      try work(copy, &random, steps: Int.random(in: 0..<30, using: &random))
      try copy.close()
      paths.append("copy\(number)")
    }
    return paths
  }

  private func bytes(_ path: String, _ files: MemoryFileSystem) throws -> [UInt8] {
    let file = try files.open(path, .read)
    return try file.bytes(file.size(), at: 0) ?? []
  }

  @Test(arguments: 0..<seeds)
  func `A foreign file is reported, or the store's contents are unchanged`(seed: Int)
    throws
  {
    var random = Seeded(UInt64(9000 + seed))
    let all = MemoryFileSystem()
    let paths = try stores(all, &random)
    var named = 0
    for target in paths {
      let expected = try answers(open(target, all.copy()))
      let own = Set((all.list(target) ?? []).filter(FileNames.isData))
      for source in paths where source != target {
        for name in (all.list(source) ?? []).filter(FileNames.isData).sorted() {
          let content = try bytes(source + "/" + name, all)
          let isOver = own.contains(name)
          // An older state of the newest log is a prefix of it, not another file.
          if isOver, try bytes(target + "/" + name, all).starts(with: content) { continue }
          let files = all.copy()
          if isOver { try files.remove(target + "/" + name) }
          let file = try files.open(target + "/" + name, .create)
          try content.withUnsafeBytes { try file.write($0, at: 0) }
          let text: Comment = "seed \(seed): \(name) of \(source) in \(target)"
          do {
            let database = try open(target, files)
            #expect(try answers(database) == expected, text)
            try database.close()
            #expect(try answers(open(target, files)) == expected, text)
          } catch StoreError.damaged(let file, _, _) {
            named += 1
            // If the file replaced one of the store's own, the neighbours may report that one as
            // missing. For two copies of one store, the owner of a file that one of them lacks may
            // be unknown.
            let isOfCopy = source != "two" && target != "two"
            #expect(isOver || isOfCopy || file == name, "\(text): \(file)")
            #expect(own.isSubset(of: files.list(target) ?? []), text)
            guard !isOver else { continue }
            #expect(
              try Verification(path: target, fileSystem: files).damages.contains {
                isOfCopy || $0.file == name
              }, text)
            try files.remove(target + "/" + name)
            #expect(try answers(open(target, files)) == expected, text)
          }
        }
      }
    }
    #expect(named > 5)
  }
}
