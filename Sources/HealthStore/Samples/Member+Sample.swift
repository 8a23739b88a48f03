import SampleLog

extension Member {
  /// Creates a reference to a sample.
  ///
  /// The revision applies if the sample specifies none.
  init(_ sample: HKSample, revision: HKSourceRevision) {
    let own = sample.built.map { $0.sourceRevision ?? revision } ?? sample.sourceRevision
    self.init(
      id: Identifier(sample.uuid), type: sample.sampleType.identifier,
      syncIdentifier: SyncIdentity(sample.metadata, own)?.identifier ?? [])
  }
}
