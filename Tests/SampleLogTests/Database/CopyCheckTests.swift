import Testing

@testable import SampleLog

/// Recognising files of a diverged copy of the store.
@Suite struct CopyCheckTests {
  private let storeID = Identifier(high: 1, low: 2)

  /// A store of epoch 9 that begins after a sequence number, with the preceding epochs.
  private func check(_ lineage: Lineage, beginning start: UInt64) throws -> CopyCheck {
    var recovered = Recovered(storeID: storeID, epoch: 9, end: 100)
    recovered.settings.keep(
      Setting(key: Lineage.key, value: lineage.encoded, sequence: start))
    return try #require(CopyCheck(recovered))
  }

  private func origin(_ epoch: UInt32) -> FileOrigin {
    FileOrigin(
      LogHeader(storeID: storeID, epoch: epoch, first: 1, salt: 3, predecessor: nil))
  }

  @Test func `A file belongs to the store up to the end of its epoch`() throws {
    let lineage = Lineage().adding(4, through: 20, end: 20).adding(5, through: 30, end: 30)
    let check = try check(lineage, beginning: 31)
    for (epoch, last) in [(4, 20), (5, 30)] as [(UInt32, UInt64)] {
      #expect(!check.isOther(origin(epoch), through: last))
      #expect(check.isOther(origin(epoch), through: last + 1))
    }
    #expect(check.isOther(origin(6), through: 1))
    #expect(!check.isOther(origin(9), through: 200))
  }

  @Test func `Unrecorded epochs end with the one before the store's`() throws {
    let lineage = Lineage().adding(4, through: 20, end: 20).adding(5, through: 30, end: 30)
    let check = try check(lineage, beginning: 51)
    for epoch in [4, 5] as [UInt32] {
      #expect(!check.isOther(origin(epoch), through: 50))
      #expect(check.isOther(origin(epoch), through: 51))
    }
  }

  @Test func `The empty log of an epoch without commits belongs to the store`() throws {
    let check = try check(Lineage().adding(4, through: 0, end: 0), beginning: 1)
    #expect(!check.isOther(origin(4), through: 0))
    #expect(check.isOther(origin(4), through: 1))
  }
}
