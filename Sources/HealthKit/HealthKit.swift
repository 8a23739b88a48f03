// Lets `import HealthKit` compile on platforms without Apple's framework.
@_exported public import HealthStore
