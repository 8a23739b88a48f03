/// The version of the algorithm that classified an electrocardiogram.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
  /// The first version.
  case version1 = 1

  /// The second version.
  case version2 = 2
}
