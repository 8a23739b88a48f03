import Foundation
package import SampleLog

/// The similarity of an imported sample to a stored one.
package enum Likeness: Comparable {
  /// Only the fields of the identity are equal.
  case distant
  /// The values are equal, too.
  case close
  /// Every column and the metadata are equal.
  case equal
}

// Look-ups of samples that are imported again. All throw the errors of the engine.
extension RowWriter {
  /// Returns the live row of an identifier.
  package mutating func row(_ id: UUID) throws -> Row? {
    try snapshot.row(Identifier(id))
  }

  /// Returns the value of a row with its unit.
  package func number(of row: Row) -> (value: Double, unit: HKUnit?) {
    let unit = row.block.unit[row.row]
    return (row.value, unit == 0 ? nil : HKUnit.named(symbols.text(unit)))
  }

  /// Returns the similarity of a sample and a row of its type.
  package mutating func likeness(
    of sample: IncomingSample, to row: Row
  ) throws -> Likeness {
    let (block, place) = (row.block, row.row)
    guard block.value[place] == sample.value else { return .distant }
    let origin = origin(sample.unit, sample.sourceRevision, sample.device)
    guard block.unit[place] == origin.unit, block.source[place] == origin.source,
      block.device[place] == origin.device,
      block.start[place] == sample.start.timeIntervalSinceReferenceDate,
      block.end[place] == sample.end.timeIntervalSinceReferenceDate
    else { return .close }
    let stored = block.extras[place] == 0 ? nil : block.metadata(at: place)
    if sample.metadata.isEmpty { return stored?.isEmpty ?? true ? .equal : .close }
    guard let stored else { return .close }
    do {
      return stored.elementsEqual(try MetadataCoding.encode(sample.metadata)) ? .equal : .close
    } catch {
      // A sample whose metadata cannot be encoded is rejected when it is added.
      return .close
    }
  }

  /// Returns whether a row is a member of a live object that does not have the given sync identity.
  package mutating func isMember(
    _ row: Row, notOf identity: SyncIdentity?
  ) throws -> Bool {
    if row.block.extras[row.row] == 0 { return false }
    let snapshot = snapshot
    return try snapshot.extras(of: row).memberOf.contains { parent in
      guard let parent = try snapshot.row(parent) else { return false }
      guard let identity else { return true }
      return try snapshot.extras(of: parent).syncIdentifier != identity.identifier
    }
  }

  /// Returns whether a row has the given sync identity and version, or no identity if it is nil.
  package mutating func isVersion(_ row: Row, of identity: SyncIdentity?) throws -> Bool {
    if row.block.extras[row.row] == 0 { return identity == nil }
    let extras = try snapshot.extras(of: row)
    return extras.syncIdentifier == identity?.identifier ?? []
      && extras.syncVersion == identity?.version ?? 0
  }

  /// The maximum number of correlations within one second that are examined for a match.
  private static let mostCandidates = 256

  /// Returns the correlations with a sample's type, source, time and sync identity, and their
  /// members.
  package mutating func correlations(
    like sample: IncomingSample
  ) throws -> [(row: Row, members: [(member: Member, row: Row?)])] {
    guard let type = symbols.find(Array(sample.type.utf8)) else { return [] }
    let snapshot = snapshot
    let (start, end) = (
      sample.start.timeIntervalSinceReferenceDate.rounded(.down),
      sample.end.timeIntervalSinceReferenceDate.rounded(.down)
    )
    var filter = RowFilter()
    filter.start = Bounds(lower: start, upper: (start + 1).nextDown)
    filter.end = Bounds(lower: end, upper: (end + 1).nextDown)
    let name = sample.sourceRevision.source.name
    let (identity, external) = (
      sample.syncIdentity, sample.metadata[HKMetadataKeyExternalUUID] as? String
    )
    var found: [(row: Row, members: [(member: Member, row: Row?)])] = []
    let rows = try snapshot.select(
      [SeriesKey(subject: subject, type: type)], where: filter, limit: Self.mostCandidates)
    for row in rows {
      let extras = try snapshot.extras(of: row)
      guard extras.syncIdentifier == identity?.identifier ?? [],
        extras.syncVersion == identity?.version ?? 0,
        HKSourceRevision(stored: symbols.name(row.block.source[row.row]))?.source.name == name,
        Self.externalUUID(in: extras.metadata) == external
      else { continue }
      let members = CorrelationPayload(extras)?.members ?? []
      found.append(
        (row, try members.map { ($0, try snapshot.row(of: $0, subject: subject)) }))
    }
    return found
  }

  /// Returns the external UUID in encoded metadata, or nil if there is none.
  private static func externalUUID(in metadata: [UInt8]) -> String? {
    if metadata.isEmpty { return nil }
    do {
      return try MetadataCoding.decode(metadata)[HKMetadataKeyExternalUUID] as? String
    } catch {
      // Reading the sample reports that its metadata is malformed.
      return nil
    }
  }

  /// Returns the live samples that rate a workout or one of its activities.
  package mutating func efforts(
    ofWorkout id: UUID
  ) throws -> [(row: Row, activity: Identifier?)] {
    guard let workout = try row(id) else { return [] }
    return try snapshot.efforts(of: workout)
  }
}
