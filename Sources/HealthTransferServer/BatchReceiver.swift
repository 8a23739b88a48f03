import Foundation
package import HealthStore
package import HealthTransfer
package import SampleLog

/// A receiver that adds a batch to a commit.
package struct BatchReceiver {
  private let batch: TransferBatch
  private var receipt: TransferReceipt
  /// The correlations that contain each object, by the object's identifier.
  private var memberships: [UUID: [Identifier]] = [:]

  package init(_ batch: TransferBatch) {
    self.batch = batch
    receipt = TransferReceipt(
      reply: TransferReply(device: batch.device, number: 0, isGap: false, anchors: [:]))
  }

  /// Adds the batch and the state of its device, unless the store has the batch.
  ///
  /// - Throws: ``TransferGap``, ``TransferConflict``, `TransferError.anotherSubject`, or an error
  ///   of reading the store.
  package mutating func receive(
    into writer: inout RowWriter, _ snapshot: Snapshot
  ) throws -> TransferReceipt {
    var state = try DeviceState(batch.device, writer)
    // The reply has the batch's own anchor, because the stored one may be another phone's.
    receipt.reply = TransferReply(
      device: batch.device, number: batch.number, isGap: false,
      anchors: [batch.cursor: batch.anchor])
    switch state.standing(of: batch) {
    case .next, .changed: break
    case .known:
      receipt.isRepeated = true
      return receipt
    case .gap:
      throw TransferGap(
        reply: TransferReply(
          device: batch.device, number: state.number, isGap: true, anchors: state.anchors))
    case .conflict:
      throw TransferConflict(
        reply: TransferReply(
          device: batch.device, number: state.number, isGap: false, isConflict: true,
          anchors: [:]))
    }
    try delete(&writer, snapshot)
    try add(try wanted(writer, snapshot), &writer, snapshot)
    state.take(batch, &writer, end: snapshot.end)
    return receipt
  }

  /// Deletes the subject's samples; child rows are only deleted together with their parent.
  private mutating func delete(_ writer: inout RowWriter, _ snapshot: Snapshot) throws {
    var seen: Set<UUID> = []
    for id in batch.deletions where seen.insert(id).inserted {
      guard let row = try snapshot.row(Identifier(id)), row.subject == writer.subject,
        !writer.symbols.isChildType(row.block.type)
      else { continue }
      writer.delete(row.id)
      receipt.deletedCount += 1
    }
  }

  /// Returns the samples that the store neither has nor has deleted.
  private mutating func wanted(
    _ writer: borrowing RowWriter, _ snapshot: Snapshot
  ) throws -> [TransferSample] {
    var seen: Set<UUID> = []
    var new: [TransferSample] = []
    for sample in batch.samples where seen.insert(sample.id).inserted {
      guard let row = try snapshot.row(Identifier(sample.id)) else {
        new.append(sample)
        continue
      }
      guard row.subject == writer.subject else {
        throw TransferError.anotherSubject(sample: sample.id)
      }
      receipt.knownCount += 1
    }
    var deleted: Set<Identifier> = []
    for (type, samples) in Dictionary(grouping: new, by: \.type) {
      guard let symbol = writer.symbols.find(Array(type.utf8)) else { continue }
      deleted.formUnion(
        try snapshot.deleted(
          Set(samples.map { Identifier($0.id) }),
          in: SeriesKey(subject: writer.subject, type: symbol)))
    }
    receipt.revokedCount = deleted.count
    return deleted.isEmpty ? new : new.filter { !deleted.contains(Identifier($0.id)) }
  }

  private mutating func add(
    _ samples: [TransferSample], _ writer: inout RowWriter, _ snapshot: Snapshot
  ) throws {
    var converter = SampleConverter()
    var rows: [ReceivedSample] = []
    for sample in samples {
      do throws(HKInvalidSampleError) {
        let row = try converter.row(sample)
        for member in row.members {
          memberships[member.id.uuid, default: []].append(Identifier(sample.id))
        }
        rows.append(row)
      } catch {
        receipt.unusable.append(sample.id)
      }
    }
    var added: Set<UUID> = []
    for row in rows {
      do throws(HKInvalidSampleError) {
        try row.add(to: &writer, memberOf: memberships[row.id] ?? [])
        added.insert(row.id)
      } catch {
        receipt.unusable.append(row.id)
      }
    }
    receipt.addedCount = added.count
    for row in rows where added.contains(row.id) {
      for workout in row.workouts where !added.contains(workout) {
        try link(row, to: workout, &writer, snapshot)
      }
    }
  }

  /// Links a route to a stored workout of the subject.
  private func link(
    _ route: ReceivedSample, to workout: UUID, _ writer: inout RowWriter, _ snapshot: Snapshot
  ) throws {
    let type = HKObjectType.workoutType().identifier
    guard let row = try snapshot.row(Identifier(workout)), row.subject == writer.subject,
      writer.symbols.text(row.block.type) == type, !batch.deletions.contains(workout)
    else { return }
    let id = Identifier(route.id)
    let known = try snapshot.payloads(WorkoutLinksPayload.self, of: row)
    if known.contains(where: { $0.members.contains { $0.id == id } }) { return }
    writer.add(
      WorkoutLinksPayload(route.id, type: route.type, start: route.start, end: route.end),
      as: Identifier(childOf: row.id, type: WorkoutLinksPayload.childType, number: id.low),
      value: 0,
      parent: row.id, of: type,
      start: Date(timeIntervalSinceReferenceDate: row.block.start[row.row]),
      end: Date(timeIntervalSinceReferenceDate: row.block.end[row.row]))
  }
}
