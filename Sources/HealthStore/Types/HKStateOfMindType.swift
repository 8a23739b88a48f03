/// The type of states of mind.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {}
