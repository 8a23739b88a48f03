print("healthstore")
