import Foundation

/// The series that a workout builder finishes together with the workout.
struct WorkoutSeries {
  private var builders: [HKSeriesBuilder] = []
  private(set) var samples: [HKSample] = []

  /// Takes the data of all builders that are neither finished nor discarded.
  ///
  /// They accept no further data until `end(successfully:)`.
  init(_ all: [HKSeriesBuilder]) throws {
    for builder in all where builder.takeOver() {
      builders.append(builder)
      do {
        if let series = try builder.collectedSeries() { samples.append(series) }
      } catch {
        end(successfully: false)
        throw error
      }
    }
  }

  /// Ends finishing.
  ///
  /// If the workout was not saved, the builders become usable again.
  func end(successfully: Bool) {
    for builder in builders { builder.endFinishing(successfully: successfully) }
  }
}
