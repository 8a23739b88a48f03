/// Which class of sample a type's rows become.
enum SampleKind: Sendable {
  case cumulativeQuantity
  case discreteQuantity
  case category
  case correlation
  case other

  init(of type: HKSampleType) {
    switch type {
    case let type as HKQuantityType:
      self = type.aggregationStyle == .cumulative ? .cumulativeQuantity : .discreteQuantity
    case is HKCategoryType: self = .category
    case is HKCorrelationType: self = .correlation
    default: self = .other
    }
  }

  /// The class, of which `HKSample.make(block:row:)` makes the object.
  var sampleClass: HKSample.Type {
    switch self {
    case .cumulativeQuantity: HKCumulativeQuantitySample.self
    case .discreteQuantity: HKDiscreteQuantitySample.self
    case .category: HKCategorySample.self
    case .correlation: HKCorrelation.self
    case .other: HKSample.self
    }
  }

  var isQuantity: Bool { self == .cumulativeQuantity || self == .discreteQuantity }
}
