import Foundation
import HealthKit

// Encodes workouts.
@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
extension SampleEncoder {
  /// Returns the encoded contents of a workout apart from dates, source and metadata.
  func contents(of workout: HKWorkout) -> [UInt8] {
    var writer = WireWriter()
    writer.byte(1)
    writer.varint(UInt64(workout.workoutActivityType.rawValue))
    writer.fixed(workout.duration)
    for (total, unit) in [
      (workout.totalEnergyBurned, HKUnit.kilocalorie()), (workout.totalDistance, .meter()),
      (workout.totalSwimmingStrokeCount, .count()), (workout.totalFlightsClimbed, .count()),
    ] { writer.optional(total, in: unit) }
    writer.optional(workout.workoutEvents) { writer, events in
      writer.list(events) { writer, event in
        writer.varint(UInt64(event.type.rawValue))
        writer.date(event.dateInterval.start)
        writer.date(event.dateInterval.end)
        writer.string(MetadataForm.bytes(event.metadata))
      }
    }
    writer.list(workout.workoutActivities) { writer, activity in
      writer.identifier(activity.uuid)
      writer.configuration(activity.workoutConfiguration)
      writer.date(activity.startDate)
      writer.optional(activity.endDate) { $0.date($1) }
      writer.string(MetadataForm.bytes(activity.metadata))
      writer.statistics(activity.allStatistics)
    }
    writer.statistics(workout.allStatistics)
    return writer.bytes
  }

  /// Returns the links of a workout to its samples, and its effort scores.
  func parts(of workout: HKWorkout) async throws -> [TransferPart] {
    var parts: [TransferPart] = []
    let ratings: Set = [
      HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]
    let others = types.filter {
      ($0 is HKQuantityType || $0 is HKCategoryType || $0 is HKSeriesType) && !isRating($0, ratings)
    }
    let members = try await samples(others, HKQuery.predicateForObjects(from: workout))
    if !members.isEmpty { parts.append(.links(links(to: members))) }
    let rated = types.filter { isRating($0, ratings) }
    for (sample, activity) in try await efforts(of: workout, rated) {
      var writer = WireWriter()
      writer.byte(1)
      writer.identifier(sample.uuid)
      writer.text(sample.sampleType.identifier)
      writer.string([])
      writer.optional(activity) { $0.identifier($1) }
      parts.append(.effort(writer.bytes))
    }
    return parts
  }

  private func isRating(_ type: HKSampleType, _ ratings: Set<HKQuantityType>) -> Bool {
    (type as? HKQuantityType).map(ratings.contains) ?? false
  }

  /// Returns the effort scores of a workout and of its activities, each with its activity or nil.
  private func efforts(
    of workout: HKWorkout, _ types: [HKSampleType]
  ) async throws -> [(HKSample, UUID?)] {
    let all = try await samples(
      types, HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil))
    if all.isEmpty { return [] }
    var found: [(HKSample, UUID?)] = []
    for activity in workout.workoutActivities {
      let own = HKQuery.predicateForWorkoutEffortSamplesRelated(
        workout: workout, activity: activity)
      found += try await samples(types, own).map { ($0, activity.uuid) }
    }
    let ofActivities = Set(found.map(\.0.uuid))
    return found + all.filter { !ofActivities.contains($0.uuid) }.map { ($0, nil) }
  }

  /// Encodes the identifiers of samples by type, with the earliest start and the latest end of each
  /// type.
  private func links(to members: [HKSample]) -> [UInt8] {
    let groups = Dictionary(grouping: members) { $0.sampleType.identifier }
      .sorted { $0.key < $1.key }
    var writer = WireWriter()
    writer.byte(1)
    writer.list(groups) { writer, group in
      writer.text(group.key)
      writer.date(group.value.reduce(.distantFuture) { min($0, $1.startDate) })
      writer.date(group.value.reduce(.distantPast) { max($0, $1.endDate) })
      writer.list(group.value.sorted { $0.uuid.uuidString < $1.uuid.uuidString }) {
        $0.identifier($1.uuid)
      }
      // The list of samples with a sync identifier, which later versions may replace, stays empty.
      writer.count(0)
    }
    return writer.bytes
  }
}

@available(iOS 18.0, macOS 15.0, watchOS 11.0, visionOS 2.0, *)
extension WireWriter {
  fileprivate mutating func configuration(_ configuration: HKWorkoutConfiguration) {
    varint(UInt64(configuration.activityType.rawValue))
    count(max(0, configuration.locationType.rawValue))
    count(max(0, configuration.swimmingLocationType.rawValue))
    optional(configuration.lapLength, in: .meter())
  }

  fileprivate mutating func statistics(_ statistics: [HKQuantityType: HKStatistics]) {
    let known = statistics.compactMap { type, one in
      WireUnit.unit(of: type).map { (type: type, unit: $0, one: one) }
    }.sorted { $0.type.identifier < $1.type.identifier }
    list(known) { writer, entry in
      let (one, unit) = (entry.one, entry.unit)
      writer.text(entry.type.identifier)
      writer.text(unit.unitString)
      for quantity in [
        one.sumQuantity(), one.averageQuantity(), one.minimumQuantity(), one.maximumQuantity(),
      ] { writer.optional(quantity?.doubleValue(for: unit)) { $0.fixed($1) } }
      let interval = one.mostRecentQuantityDateInterval()
      let recent = one.mostRecentQuantity().flatMap { quantity in interval.map { (quantity, $0) } }
      writer.optional(recent) { writer, recent in
        writer.fixed(recent.0.doubleValue(for: unit))
        writer.date(recent.1.start)
        writer.date(recent.1.end)
      }
      // The number of samples is unknown.
      writer.fixed(0.0)
    }
  }
}
