import Foundation

@testable import AppleHealthExport

/// Assigns the identifiers that earlier versions of this library gave to the samples of a file.
struct NumberedIdentities {
  private var contents = EarlierIdentities()
  private var topLevel = OccurrenceTable()
  private var members = OccurrenceTable()

  mutating func uuid(of record: ExportRecord) -> UUID { number(contents.content(of: record)) }

  mutating func uuid(of workout: ExportWorkout) -> UUID { number(contents.content(of: workout)) }

  mutating func uuids(
    of correlation: ExportCorrelation
  ) -> (correlation: UUID, records: [UUID]) {
    let records = correlation.records.map { record in
      let hash = contents.content(of: record)
      return SampleIdentity.identifier(hash, occurrence: members.count(hash))
    }
    return (number(contents.content(of: correlation)), records)
  }

  private mutating func number(_ hash: SipHash128.Output) -> UUID {
    SampleIdentity.identifier(hash, occurrence: topLevel.count(hash))
  }
}
