"""What compares two pictures of a page: pixel by pixel, row by row, and by the elements that they show; all pure.

Reading order: pixels, rows, regions, elements, matching, exclusion, sentences, explanation, comparison, side_by_side.
"""
