/// Why a notice of loud surroundings was given, in the older spelling.
public enum HKCategoryValueAudioExposureEvent: Int, Sendable {
  /// The surroundings were too loud.
  case loudEnvironment = 1
}
