import Foundation

extension HKWorkout {
  /// The pauses according to the events, clipped to the workout.
  package var pauses: [DateInterval] {
    WorkoutPauses(workoutEvents ?? []).pauses.compactMap { pause in
      let (start, end) = (max(pause.start, startDate), min(pause.end, endDate))
      return start < end ? DateInterval(start: start, end: end) : nil
    }
  }
}
