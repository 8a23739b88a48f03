import Foundation

/// The series that a workout's builder finishes with it.
struct WorkoutSeries {
  private var builders: [HKSeriesBuilder] = []
  private(set) var samples: [HKSample] = []

  /// Takes what builders collected that were neither finished nor discarded; nothing can be added
  /// to them until this ends.
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

  /// Says whether the workout was saved; if not, the builders can go on.
  func end(successfully: Bool) {
    for builder in builders { builder.endFinishing(successfully: successfully) }
  }
}
