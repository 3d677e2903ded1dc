"""The only reader of what a model said: thoughts, fences, objects, refusals, numbers, lists, insights."""
