"""What the director rules, and every row of a power's orders as the rules and rulings take it."""
