"""One engine taken through one history, judged step by step; and the reduction of such a history."""
