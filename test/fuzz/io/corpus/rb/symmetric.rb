A small matrix                                                          SMALL   
             3             1             1             1
isa                        3             3             4             0
(4I3)           (6I2)           (4I2)               
  1  3  4  5
 1 3 2 3
 1 2 3 4
