/// The type of electrocardiograms.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}
