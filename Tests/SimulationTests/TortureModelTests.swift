import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// The model's treatment of commits whose acknowledgement was lost in a torture run.
final class TortureModelTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/model-" + UUID().uuidString
  private let store: Database
  private var model = TortureModel()
  private var random = Seeded(mixing: 1)

  init() throws {
    store = try Database(path: folder)
    begin(1, saving: 2)
    let last = try commit(1, saving: 2)
    model.note(.done(operation: 1, first: 1, last: last))
    #expect(try model.check(store, after: .power, &random) == [])
    begin(2, saving: 1, deleting: [1])
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test("Samples that were deleted again before any answer are not taken for lost ones")
  func deletedAgain() throws {
    begin(3, saving: 0, deleting: [2])
    try commit(2, saving: 1, deleting: 2, of: 1)
    try commit(3, saving: 0, deleting: 1, of: 2)
    #expect(try model.check(store, after: .power, &random) == [])
    #expect(model.alive.isEmpty)
  }

  @Test("Deletions of a commit without its samples are half a commit")
  func halfACommit() throws {
    try commit(2, saving: 0, deleting: 2, of: 1)
    #expect(try model.check(store, after: .power, &random).count == 1)
  }

  private func begin(_ operation: UInt64, saving size: Int, deleting: [UInt64] = []) {
    model.note(
      .begun(operation: operation, size: size, isDurable: true, deleting: deleting))
  }

  @discardableResult
  private func commit(
    _ operation: UInt64, saving size: Int, deleting count: Int = 0, of other: UInt64 = 0
  ) throws -> UInt64 {
    var batch = Batch()
    for index in 0..<size {
      TortureRow(operation: operation, index: index, size: size).add(to: &batch, store.symbols)
    }
    for index in 0..<count {
      batch.delete(TortureRow(operation: other, index: index, size: 0).id)
    }
    return try #require(try store.commit(batch, durability: .durable).sequences).upperBound
  }
}
