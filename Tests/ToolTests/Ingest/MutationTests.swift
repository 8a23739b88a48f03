import AppleHealthExport
import Foundation
import HealthStore
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// Randomly changed input.
@Suite struct MutationTests {
  /// Exports everything in a store in each format and discards the output.
  private func exportEverything(_ database: Database) throws {
    let export = SampleExport(
      types: [], subjects: nil, filter: RowFilter(), days: ActivityDays(), anchor: nil)
    let words = RowWords(database)
    let snapshot = database.snapshot()
    let objects = StoredObjects(words.reader, snapshot)
    func sink() -> ExportSink { ExportSink(Output(isTerminal: false) { _ in }) }
    let writers: [any SampleWriter] = [
      RowTextWriter(isCSV: true, hasKinds: false, words, objects, sink()),
      RowTextWriter(isCSV: false, hasKinds: true, words, objects, sink()),
      SQLWriter(words, objects, sink()), LineProtocolWriter(words, objects, sink()),
      FHIRWriter(words, objects, types: [], sink()),
    ]
    for writer in writers {
      _ = try export.run(database, snapshot, writer)
    }
  }

  @Test(arguments: ["csv", "jsonl"])
  func `Lines with changed bytes are refused or ingested, and ingested ones can be exported`(
    format: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let run = try ToolProcess.run([
      "export", "--store", path, "--all-subjects", "--format", format,
    ])
    let good = Array(run.out.utf8)
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var (taken, refused) = (0, 0)
    for round in 0..<Trials.count(30, quick: 16) {
      var bytes = good
      // The first round leaves the input unchanged.
      for _ in 0..<(round == 0 ? 0 : 1 + random(3)) {
        let index = random(bytes.count)
        switch random(4) {
        case 0: bytes[index] = UInt8(random(256))
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(bytes[random(bytes.count)], at: index)
        default: bytes[index] = Array("0129eE+-.\"\\,{}[]:nZ".utf8)[random(19)]
        }
      }
      let database = try Database(path: "store", fileSystem: MemoryFileSystem())
      do {
        var ingestion = Ingestion(
          try RecordReader(MemoryInput(chunks: [bytes]), nil), into: database, subject: "", from: 1)
        let isWhole = try ingestion.run()
        #expect(isWhole)
        taken += 1
      } catch {
        #expect(error is IngestProblem || error is StoreError, "\(error)")
        refused += 1
      }
      do {
        try exportEverything(database)
      } catch StoreError.damaged {
        // Points that contradict their sample are detected when they are read.
      }
      try database.close()
    }
    #expect(taken > 0)
    #expect(refused > 5)
  }
}
