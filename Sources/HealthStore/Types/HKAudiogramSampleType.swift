/// The type of audiograms.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}
