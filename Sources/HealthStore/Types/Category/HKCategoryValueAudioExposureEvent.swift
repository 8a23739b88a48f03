/// The reason for a notification of loud surroundings; older name.
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
  /// The surroundings were too loud.
  case loudEnvironment = 1
}
