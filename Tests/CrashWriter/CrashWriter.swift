import Foundation
import SampleLog

/// Saves and deletes groups of samples until it is killed, and prints each acknowledged group.
///
/// Group *g* has samples that start at *g* and end at *g* plus their number, so that a test that
/// opens the store afterwards can tell a whole group from a part of one.
@main
struct CrashWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let first = Int(arguments[2]), let seed = UInt64(arguments[3])
    else {
      say("usage: CrashWriter DIRECTORY FIRST-GROUP SEED")
      return
    }
    var options = Database.Options()
    options.sealRowCount = 150
    options.segmentRowCount = 3000
    let database = try Database(path: arguments[1], options: options)
    let type = database.symbols.intern("group")
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    var alive: [(group: Int, size: Int)] = []
    var group = first
    while true {
      let size = 1 + Int(random(40))
      var batch = Batch()
      for index in 0..<size {
        batch.add(
          subject: 0, type: type, id: identifier(group, index), start: Double(group),
          end: Double(group + size), value: Double(index))
      }
      try database.commit(batch)
      say("saved \(group) \(size) \(database.end)")
      alive.append((group, size))
      group += 1
      if random(4) == 0, alive.count > 1 {
        let gone = alive.remove(at: Int(random(UInt64(alive.count))))
        var batch = Batch()
        for index in 0..<gone.size { batch.delete(identifier(gone.group, index)) }
        say("deleting \(gone.group) 0 0")
        try database.commit(batch)
        say("deleted \(gone.group) 0 \(database.end)")
      }
      if random(12) == 0 { try database.compact() }
    }
  }

  static func identifier(_ group: Int, _ index: Int) -> Identifier {
    Identifier(high: UInt64(group) + 1, low: UInt64(index))
  }

  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
