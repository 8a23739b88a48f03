// `import HealthKit` compiles unchanged where Apple's framework does not exist.
@_exported public import HealthStore
